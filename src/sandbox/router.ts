// From a method and a path to a route and the values of its :names.
import type { Route } from "./routes.ts";

interface Junction {
  readonly named: Map<string, Junction>;
  any: Junction | undefined;
  readonly routes: Map<string, Route>;
}

export type Match =
  | { readonly route: Route; readonly params: readonly string[] }
  | { readonly allowed: readonly string[] }
  | undefined;

export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match {
  const root = junction();
  for (const route of routes) {
    let at = root;
    for (const segment of route.path.slice(1).split("/")) at = step(at, segment);
    at.routes.set(route.method, route);
  }
  return (method, path) => {
    const params: string[] = [];
    let at: Junction = root;
    for (const segment of path.slice(1).split("/")) {
      const named = at.named.get(segment);
      if (named !== undefined) {
        at = named;
        continue;
      }
      if (at.any === undefined || segment === "") return undefined;
      params.push(decode(segment));
      at = at.any;
    }
    const route = at.routes.get(method);
    if (route !== undefined) return { route, params };
    return at.routes.size === 0 ? undefined : { allowed: [...at.routes.keys()] };
  };
}

function junction(): Junction {
  return { named: new Map(), any: undefined, routes: new Map() };
}

function step(at: Junction, segment: string): Junction {
  if (segment.startsWith(":")) {
    at.any ??= junction();
    return at.any;
  }
  const next = at.named.get(segment) ?? junction();
  at.named.set(segment, next);
  return next;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
