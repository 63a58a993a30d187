/** An error of the bucket, with the status and the code of S3. */
export class BucketRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const missingObject = (): BucketRefusal =>
  new BucketRefusal(404, 'NoSuchKey', 'The specified key does not exist.');

export const badDigest = (): BucketRefusal =>
  new BucketRefusal(400, 'BadDigest', 'The checksum you specified did not match the calculated checksum.');

export const alreadyThere = (): BucketRefusal =>
  new BucketRefusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold.');
