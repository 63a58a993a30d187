import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { imagePrefix, uploadPrefix } from '../../shared/domain/catalogue/image.ts';
import { exportPrefix } from '../../shared/domain/reports/export-job.ts';
import type { ExportGrant, ImageGrant } from '../endpoints.ts';
import { type ObjectReach, PrivateBucket, type PrivateBucketProps } from './private-bucket.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * The actions and prefixes of each grant. No role may list the bucket, so the function that delivers images gets
 * AccessDenied for a missing one.
 */
const reach: Record<ImageGrant | ExportGrant, readonly ObjectReach[]> = {
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
 * The private bucket of product images and exported files. The API delivers the images from its own address. So pages
 * need no third party, and a stack needs no distribution. Images never change, so a CDN can be added in front.
 */
export class ProductImages extends PrivateBucket {
  constructor(scope: Construct, id: string, props: PrivateBucketProps) {
    super(scope, id, props, { versioned: props.keepsData });
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
    this.grantReach(fn, 'BUCKET_NAME', reach[grant]);
  }
}
