// A receiver of webhooks in a process of its own. It knows nothing of the sandbox but how a signature is checked.
// Arguments: key file, certificate file, statuses to answer with, one after the other (the last one stays).
// It prints its port, then a line per delivery. Secrets come in by stdin, one per line.
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { createInterface } from "node:readline";

const [keyFile, certificateFile, ...statuses] = process.argv.slice(2);
const secrets = [];
createInterface(process.stdin)
  .on("line", (secret) => secrets.push(secret))
  .on("close", () => process.exit(0));

function isSigned(body, signature) {
  return secrets.some((secret) => {
    const wanted = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    return signature.length === wanted.length && timingSafeEqual(wanted, signature);
  });
}

function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const server = createServer(
  { key: readFileSync(keyFile), cert: readFileSync(certificateFile) },
  (request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts);
      const signed = isSigned(body, Buffer.from(request.headers["x-webhook-signature"] ?? ""));
      const { method, url: path, headers } = request;
      say({ method, path, type: headers["x-webhook-event"], signed, payload: JSON.parse(body.toString("utf8")) });
      response.writeHead(Number(statuses.length > 1 ? statuses.shift() : (statuses[0] ?? 200))).end();
    });
  },
);
server.listen(0, "127.0.0.1", () => say({ port: server.address().port }));
