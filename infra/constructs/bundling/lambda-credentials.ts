/**
 * Replaces `@aws-sdk/credential-provider-node` in bundles. Lambda puts a role's credentials into the environment, so
 * profiles, single sign-on and metadata services are not needed.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
