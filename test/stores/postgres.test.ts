import { storeContract } from "./contract.ts";
import { postgresUnderTest } from "./postgres-store.ts";

storeContract(postgresUnderTest);
