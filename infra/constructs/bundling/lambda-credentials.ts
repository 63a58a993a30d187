/**
 * Stands in for `@aws-sdk/credential-provider-node` in bundles: Lambda puts a role's credentials into the environment,
 * so the chain of profiles, single sign-on and metadata services is neither shipped nor walked.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
