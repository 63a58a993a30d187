/** The AWS account that the local parts play. It is not a real account. */
export const localAws = {
  region: 'eu-central-1',
  account: '000000000000',
  /** The only key pair that the local bucket accepts. The other parts accept any. */
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
} as const;
