/**
 * Matches errors such as `KMSThrottlingException`, `KMS.DisabledException`, `KMS key access denied error` and `… not
 * authorized to perform: kms:Decrypt`.
 */
const ofKey = /\bkms|inaccessible.?encryption/i;

/**
 * Whether an error of AWS is about the key that encrypts the merchant's data. S3 and DynamoDB mention KMS or the
 * encryption in such errors.
 */
export const isOfEncryptionKey = (error: unknown): boolean =>
  error instanceof Error && ofKey.test(`${error.name} ${error.message}`);
