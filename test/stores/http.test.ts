import { storeContract } from "./contract.ts";
import { httpUnderTest } from "./http-store.ts";

storeContract(httpUnderTest("gitlab"));
storeContract(httpUnderTest("plain"));
