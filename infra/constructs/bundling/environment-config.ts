/**
 * Replaces `@smithy/core/config` in bundles. Environment variables configure the SDK, so functions need no code that
 * reads profile files. The other exports come from the package.
 */
// @ts-expect-error the package has types for its entry points only
import { chain, fromStatic, memoize } from '../../../node_modules/@smithy/core/dist-es/submodules/config/index.js';
// @ts-expect-error the same
import { fromEnv } from '../../../node_modules/@smithy/core/dist-es/submodules/config/node-config-provider/fromEnv.js';

// biome-ignore format: all that the clients import, under one suppression
// @ts-expect-error the same
export { booleanSelector, CONFIG_PREFIX_SEPARATOR, CredentialsProviderError, NODE_REGION_CONFIG_FILE_OPTIONS, NODE_REGION_CONFIG_OPTIONS, NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS, NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS, ProviderError, REGION_ENV_NAME, REGION_INI_NAME, resolveRegionConfig, SelectorType } from '../../../node_modules/@smithy/core/dist-es/submodules/config/index.js';

interface Setting {
  environmentVariableSelector: (environment: object, options: object) => unknown;
  default: unknown;
}

/** A setting from the environment, or its default. */
export const loadConfig = ({ environmentVariableSelector, default: value }: Setting, options = {}) =>
  memoize(chain(fromEnv(environmentVariableSelector, options), fromStatic(value)));

/** The SDK's defaults for settings that neither the environment nor a profile has. */
export const resolveDefaultsModeConfig = () => async () => 'legacy';
