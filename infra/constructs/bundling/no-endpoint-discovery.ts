/**
 * Stands in for `@aws-sdk/middleware-endpoint-discovery` in bundles: DynamoDB's operations no longer discover endpoints, yet its
 * client still makes a cache for them, 8 kB of every bundle.
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: false,
};
