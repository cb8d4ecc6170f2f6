import { storeContract } from "../contract.ts";
import { postgresUnderTest } from "./store.ts";

storeContract(postgresUnderTest);
