import { storeContract } from "./contract.ts";
import { gitUnderTest } from "./git-store.ts";

storeContract(gitUnderTest);
