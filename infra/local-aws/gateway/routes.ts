/** A function, and its routes. */
export interface GatewayRoute {
  function: string;
  /** The methods, or `ANY` for all. */
  methods: readonly string[];
  /** Paths such as `/products/{id}`, or `$default` for requests that have no other route. */
  paths: readonly string[];
}

/** The route that API Gateway would choose for a request. */
export interface RouteMatch {
  routeKey: string;
  function: string;
  pathParameters?: Record<string, string>;
}

interface Route {
  method: string;
  /** The parts of the path: `/products/{id}` is `['', 'products', '{id}']`. */
  segments: string[];
  routeKey: string;
  function: string;
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

function routeOf(name: string, method: string, path: string): Route {
  if (path.includes('+}')) throw new Error(`Greedy parameters are not supported on this machine: ${path}.`);
  const routeKey = path === '$default' ? path : `${method} ${path}`;
  return { method, segments: path.split('/'), routeKey, function: name };
}

const fits = (route: Route, method: string, segments: string[]): boolean =>
  (route.method === method || route.method === 'ANY') &&
  route.segments.length === segments.length &&
  route.segments.every((expected, at) => (isParameter(expected) ? segments[at] !== '' : expected === segments[at]));

/**
 * A text by which routes are sorted. It has the positions of the parameters: `011` comes before `1`. From the left,
 * literal segments come before parameters.
 */
const generality = ({ segments, method }: Route): string =>
  segments.map((segment) => (isParameter(segment) ? 1 : 0)).join('') + (method === 'ANY' ? 1 : 0);

function matchOf(route: Route, segments: string[]): RouteMatch {
  const parameters = route.segments.flatMap((name, at) =>
    isParameter(name) ? [[name.slice(1, -1), segments[at] ?? ''] as const] : [],
  );
  const match: RouteMatch = { routeKey: route.routeKey, function: route.function };
  return parameters.length > 0 ? { ...match, pathParameters: Object.fromEntries(parameters) } : match;
}

/**
 * Returns a function that finds a route like API Gateway. The method must be that of the route or ANY. Literal segments
 * come before parameters. `$default` gets all other requests, including OPTIONS. Paths are matched after
 * percent-decoding.
 */
export function routesOf(declared: readonly GatewayRoute[]): (method: string, path: string) => RouteMatch | undefined {
  const routes = declared
    .flatMap(({ function: name, methods, paths }) =>
      paths.flatMap((path) => methods.map((method) => routeOf(name, method, path))),
    )
    .sort((a, b) => generality(a).localeCompare(generality(b)));
  const fallback = routes.find((route) => route.routeKey === '$default');
  return (method, path) => {
    const segments = path.split('/');
    const route = routes.find((candidate) => fits(candidate, method, segments)) ?? fallback;
    return route && matchOf(route, segments);
  };
}
