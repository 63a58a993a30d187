import { type Endpoint, endpoints, methodsOf } from '../endpoints.ts';
import { startGateway } from '../local-aws/gateway/gateway.ts';
import { type GatewayRoute, routesOf } from '../local-aws/gateway/routes.ts';
import { clockRoutes } from './clock.ts';
import { oneClick } from './one-click.ts';

const gatewayRoutes = (table: readonly Endpoint[]): GatewayRoute[] =>
  table.map((endpoint) => ({ function: endpoint.function, methods: methodsOf(endpoint), paths: endpoint.paths }));

/** Finds the route of a request in a route table. */
export const findRouteIn = (table: readonly Endpoint[]) => routesOf(gatewayRoutes(table));

interface LocalGatewayOptions extends Omit<Parameters<typeof startGateway>[0], 'routes' | 'rewrite'> {
  /** The key for the sign-in with one click on this machine. If absent, there is no such sign-in. */
  oneClickKey?: string | undefined;
}

/** Starts a gateway on this machine with the routes of the stack. */
export const startLocalGateway = ({ oneClickKey, ...options }: LocalGatewayOptions) =>
  startGateway({
    ...options,
    routes: [...gatewayRoutes(endpoints), ...clockRoutes],
    ...(oneClickKey === undefined ? {} : { rewrite: oneClick(oneClickKey) }),
  });
