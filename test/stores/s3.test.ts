import { storeContract } from "./contract.ts";
import { s3Under } from "./s3-store.ts";

storeContract(s3Under("as AWS", {}));
storeContract(s3Under("ETags compared bare, as Ceph", { etags: "compared-bare" }));
