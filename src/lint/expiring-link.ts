/** Why an image's address will not last, as the end of a sentence; null where nothing speaks against it. */
export function whyLinkExpires(address: URL): string | null {
  if (networks.test(address.hostname)) return "links of social networks and chats change and expire";
  return address.search !== "" && isSigned(address.searchParams) ? "its signature expires" : null;
}

const networks =
  /(^|\.)(facebook\.com|fb\.com|fb\.me|fbcdn\.net|fbsbx\.com|instagram\.com|cdninstagram\.com|threads\.net|twitter\.com|x\.com|t\.co|tiktok\.com|tiktokcdn(-us)?\.com|linkedin\.com|licdn\.com|discordapp\.(com|net)|discord\.com|viber\.com|whatsapp\.(com|net)|telegram\.org|t\.me)$/i;

/** Names that a signed address gives its signature, and those that it gives its end. */
const signature = /^(x-[a-z0-9]+-(signature|security-token)|signature|sig|hmac|policy|key-pair-id)$/i;
const end = /^(x-[a-z0-9]+-expires|expires?|expiry|expires_?at|exp|se|e)$/i;

function isSigned(query: URLSearchParams): boolean {
  let signed = false;
  let ends = false;
  for (const name of query.keys()) {
    if (/^x-[a-z0-9]+-(signature|expires)$/i.test(name)) return true;
    signed ||= signature.test(name) || /^(token|st|hash|oh|hm)$/i.test(name);
    ends ||= end.test(name) || /^(oe|ex)$/i.test(name);
  }
  return signed && ends;
}
