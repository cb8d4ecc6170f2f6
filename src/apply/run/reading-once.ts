// A service whose lists are read once, for a time without writes.
import type { ApplyService } from "./run.ts";

/** A whole list answers every search in it: whoever searches compares what is found anyway. */
export function readingOnce(service: ApplyService): ApplyService {
  const lists = new Map<string, ReturnType<ApplyService["listAll"]>>();
  return {
    request: (method, path, options) => service.request(method, path, options),
    listAll(path, query = {}, options = {}) {
      const { search, ...rest } = query as Readonly<Record<string, unknown>>;
      const whole = JSON.stringify([path, rest]);
      const known = lists.get(whole) ?? lists.get(JSON.stringify([path, query]));
      if (known !== undefined) return known;
      const list = service.listAll(path, query, options);
      lists.set(search === undefined ? whole : JSON.stringify([path, query]), list);
      return list;
    },
    estimateSeconds: (calls) => service.estimateSeconds(calls),
    get serverDate() {
      return service.serverDate;
    },
    get counts() {
      return service.counts;
    },
  };
}
