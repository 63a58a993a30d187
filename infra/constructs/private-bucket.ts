import { Names, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { grantKey, ownKey } from './own-key.ts';
import type { ServiceFunction } from './service-function.ts';

export interface PrivateBucketProps {
  /** Whether the objects and their earlier versions are kept when the stack is removed. */
  keepsData: boolean;
  /** The ARN of the merchant's own encryption key. If absent, S3's key is used. */
  encryptionKeyArn?: string | undefined;
}

/** The allowed actions on the objects with one prefix. */
export interface ObjectReach {
  actions: readonly string[];
  prefix: string;
}

/**
 * A private, encrypted bucket that allows only TLS. No role may list it, so a request for a missing object gets
 * AccessDenied.
 */
export class PrivateBucket extends Construct {
  readonly bucket: Bucket;
  private readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, props: PrivateBucketProps, more: Pick<BucketProps, 'versioned' | 'cors'>) {
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
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
      ...more,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only functions and addresses that they sign reach the bucket; a log of it would hold where merchants and buyers sit.',
    });
  }

  /** Grants the function access to some prefixes, and sets the bucket's name in a variable. */
  protected grantReach(fn: ServiceFunction, variable: string, reach: readonly ObjectReach[]): void {
    fn.addEnvironment(variable, this.bucket.bucketName);
    grantKey(fn, this.key, 's3');
    for (const { actions, prefix } of reach) {
      fn.allow(
        actions.map((action) => `s3:${action}`),
        [this.bucket.arnForObjects(`${prefix}*`)],
      );
      fn.acknowledgeWildcard(`<${this.nameIn(fn)}>/${prefix}*`, 'The objects below one prefix, and no others.');
    }
  }

  /** A short name for the bucket's ARN in the function's template. */
  private nameIn(fn: ServiceFunction): string {
    const bucket = this.bucket.node.defaultChild as CfnBucket;
    const stack = Stack.of(this);
    return fn.stack === stack
      ? `${stack.resolve(bucket.logicalId)}.Arn`
      : `referenceto${Names.nodeUniqueId(bucket.node)}Arn`;
  }
}
