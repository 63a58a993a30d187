/**
 * Replaces `@aws-sdk/middleware-endpoint-discovery` in bundles, which saves 8 kB in each. DynamoDB's operations no
 * longer discover endpoints, but its client still creates a cache for them.
 */
export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: (): undefined => undefined,
  configFileSelector: (): undefined => undefined,
  default: false,
};
