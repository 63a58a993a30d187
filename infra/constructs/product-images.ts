import { Duration, Names, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { imagePrefix, uploadPrefix } from '../../shared/domain/catalogue/image.ts';
import { exportPrefix } from '../../shared/domain/reports/export-job.ts';
import type { ExportGrant, ImageGrant } from '../endpoints.ts';
import { grantKey, ownKey } from './own-key.ts';
import type { ServiceFunction } from './service-function.ts';

interface ProductImagesProps {
  /** Whether the images and their earlier versions are kept when the stack is removed. */
  keepsData: boolean;
  /** The merchant's own key. Absent: S3's. */
  encryptionKeyArn?: string | undefined;
}

/**
 * The actions and prefixes of each grant. A missing image is AccessDenied for the delivering function, because no
 * role may list the bucket.
 */
const reach: Record<ImageGrant | ExportGrant, readonly { actions: readonly string[]; prefix: string }[]> = {
  upload: [{ actions: ['PutObject'], prefix: uploadPrefix }],
  publish: [
    { actions: ['GetObject', 'DeleteObject'], prefix: uploadPrefix },
    { actions: ['PutObject'], prefix: imagePrefix },
  ],
  show: [{ actions: ['PutObject'], prefix: imagePrefix }],
  deliver: [{ actions: ['GetObject'], prefix: imagePrefix }],
  store: [{ actions: ['PutObject'], prefix: exportPrefix }],
  collect: [{ actions: ['GetObject'], prefix: exportPrefix }],
};

/**
 * The private bucket of product images and exported files, with TLS only. The API delivers the images from its own address, so the
 * pages need no third party and a stack needs no distribution. Images never change, so a CDN can be added in front.
 */
export class ProductImages extends Construct {
  readonly bucket: Bucket;
  private readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, props: ProductImagesProps) {
    super(scope, id);
    this.key = props.encryptionKeyArn === undefined ? undefined : ownKey(this, props.encryptionKeyArn);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      ...(this.key
        ? { encryption: BucketEncryption.KMS, encryptionKey: this.key, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      versioned: props.keepsData,
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only functions and addresses that they sign for one upload reach the bucket; a log of it would hold where merchants sit.',
    });
    this.bucket.addLifecycleRule({
      prefix: uploadPrefix,
      expiration: Duration.days(1),
      noncurrentVersionExpiration: Duration.days(1),
      abortIncompleteMultipartUploadAfter: Duration.days(1),
    });
    this.bucket.addLifecycleRule({
      prefix: exportPrefix,
      expiration: Duration.days(1),
      noncurrentVersionExpiration: Duration.days(1),
    });
    this.bucket.addLifecycleRule({ prefix: imagePrefix, noncurrentVersionExpiration: Duration.days(90) });
  }

  /** Grants the function its access, and sets the bucket's name. */
  grantAccess(fn: ServiceFunction, grant: ImageGrant | ExportGrant): void {
    fn.addEnvironment('BUCKET_NAME', this.bucket.bucketName);
    grantKey(fn, this.key, 's3');
    for (const { actions, prefix } of reach[grant]) {
      fn.allow(
        actions.map((action) => `s3:${action}`),
        [this.bucket.arnForObjects(`${prefix}*`)],
      );
      fn.acknowledgeWildcard(`<${this.nameIn(fn)}>/${prefix}*`, 'The objects below one prefix, and no others.');
    }
  }

  /** An alias for the bucket's ARN in the template of the function. */
  private nameIn(fn: ServiceFunction): string {
    const bucket = this.bucket.node.defaultChild as CfnBucket;
    const stack = Stack.of(this);
    return fn.stack === stack
      ? `${stack.resolve(bucket.logicalId)}.Arn`
      : `referenceto${Names.nodeUniqueId(bucket.node)}Arn`;
  }
}
