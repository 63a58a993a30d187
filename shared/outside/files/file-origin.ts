/**
 * The origin of the bucket, which the forms of some pages may post to. The bucket's name is in the host, so these forms
 * cannot post to another bucket. Sandboxes and emulators have their own address.
 */
export const fileOriginOf = ({ bucketName, region, endpoint }: FileSite): string =>
  endpoint === undefined ? `https://${bucketName}.s3.${region}.amazonaws.com` : new URL(endpoint).origin;

interface FileSite {
  bucketName: string;
  region: string;
  /** The address that replaces AWS's own one; undefined on AWS. */
  endpoint: string | undefined;
}
