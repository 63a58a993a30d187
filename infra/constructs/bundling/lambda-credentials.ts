/**
 * Replaces `@aws-sdk/credential-provider-node` in bundles. Lambda sets a role's credentials in the environment, so
 * profiles, single sign-on and metadata services are not needed.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
