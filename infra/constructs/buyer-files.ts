import { Duration } from 'aws-cdk-lib';
import { HttpMethods } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { filePrefix } from '../../shared/domain/entitlements/files.ts';
import type { FileGrant } from '../endpoints.ts';
import { type ObjectReach, PrivateBucket, type PrivateBucketProps } from './private-bucket.ts';
import type { ServiceFunction } from './service-function.ts';

interface BuyerFilesProps extends PrivateBucketProps {
  /** The address of the dashboard. Its pages upload files directly to the bucket. */
  publicUrl: string;
}

/** The actions of each grant. A presigned address can do only what its function may do. */
const reach: Record<FileGrant, readonly ObjectReach[]> = {
  receive: [{ actions: ['PutObject', 'GetObject', 'DeleteObject'], prefix: filePrefix }],
  check: [{ actions: ['GetObject', 'DeleteObject'], prefix: filePrefix }],
  remove: [{ actions: ['DeleteObject'], prefix: filePrefix }],
  deliver: [{ actions: ['GetObject'], prefix: filePrefix }],
};

/**
 * The private bucket of the files that buyers download. Removed and replaced files stay for 30 days as earlier
 * versions, so that a mistake can be undone. Unfinished uploads are removed after a day.
 */
export class BuyerFiles extends PrivateBucket {
  constructor(scope: Construct, id: string, { publicUrl, ...props }: BuyerFilesProps) {
    const cors = [
      {
        allowedOrigins: [publicUrl],
        allowedMethods: [HttpMethods.PUT],
        allowedHeaders: ['*'],
        exposedHeaders: ['ETag'],
        maxAge: 3_600,
      },
    ];
    super(scope, id, props, { versioned: true, cors });
    this.bucket.addLifecycleRule({
      noncurrentVersionExpiration: Duration.days(30),
      expiredObjectDeleteMarker: true,
      abortIncompleteMultipartUploadAfter: Duration.days(1),
    });
  }

  /** Grants the function its access, and sets the bucket's name. */
  grantAccess(fn: ServiceFunction, grant: FileGrant): void {
    this.grantReach(fn, 'FILES_BUCKET', reach[grant]);
  }
}
