/**
 * The site of the bucket, for the pages whose forms lead there. The bucket's name is in the host, so a page lets in no
 * other bucket. Sandboxes and emulators have their own address.
 */
export const fileOriginOf = ({ bucketName, region, endpoint }: FileSite): string =>
  endpoint === undefined ? `https://${bucketName}.s3.${region}.amazonaws.com` : new URL(endpoint).origin;

interface FileSite {
  bucketName: string;
  region: string;
  /** Replaces AWS's own address. */
  endpoint: string | undefined;
}
