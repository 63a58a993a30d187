import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { type IndexName, tableSchema } from '../../shared/store/table/table-schema.ts';
import type { Entity, TableGrants } from '../endpoints.ts';
import { grantKey, ownKey } from './own-key.ts';
import type { ServiceFunction } from './service-function.ts';

interface DataTableProps {
  /** Whether the table is kept when the stack is removed, and protected against deletion. */
  keepsData: boolean;
  /** The ARN of the merchant's own encryption key. If absent, AWS's key for DynamoDB is used. */
  encryptionKeyArn?: string | undefined;
}

/** The entity in whose partition the rows of another entity are. */
const partitions: Partial<Record<Entity, Entity>> = { DELIVERY: 'EVENT' };

/**
 * The IAM actions of each grant. Even a single row is read with BatchGetItem. A transaction needs the actions of its
 * items.
 */
const rowActions = { get: 'BatchGetItem', query: 'Query', put: 'PutItem', update: 'UpdateItem' } as const;

/**
 * The merchant's only table, with the schema of `tableSchema`. KMS encrypts it with AWS's key or the merchant's. It can
 * be restored to any second of the last 35 days.
 */
export class DataTable extends Construct {
  readonly table: Table;
  private readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, props: DataTableProps) {
    super(scope, id);
    this.key = props.encryptionKeyArn === undefined ? undefined : ownKey(this, props.encryptionKeyArn);
    this.table = new Table(this, 'Table', {
      partitionKey: text(tableSchema.partitionKey),
      sortKey: text(tableSchema.sortKey),
      timeToLiveAttribute: tableSchema.timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_IMAGE,
      ...(this.key
        ? { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: this.key }
        : { encryption: TableEncryption.AWS_MANAGED }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      deletionProtection: props.keepsData,
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const name of Object.keys(tableSchema.indexes) as IndexName[]) this.addIndex(name);
  }

  /**
   * Grants the function the access that the route table declares, and sets the table's name. The access is limited to
   * rows whose partition keys begin with the names of the entities. No function may remove a row: a deleted object
   * stays as a row without data.
   */
  grantAccess(fn: ServiceFunction, grants: TableGrants): void {
    if (Object.keys(grants).length > 0) {
      fn.addEnvironment('TABLE_NAME', this.table.tableName);
      grantKey(fn, this.key, 'dynamodb');
    }
    for (const [grant, action] of entriesOf(rowActions)) {
      const begins = (grants[grant] ?? []).map((entity) => partitions[entity] ?? entity);
      this.allow(fn, action, begins, this.table.tableArn);
    }
    for (const index of Object.keys(tableSchema.indexes) as IndexName[])
      this.allow(fn, 'Query', grants[index] ?? [], `${this.table.tableArn}/index/${index}`);
  }

  /** Lets the function read the table's stream, which is encrypted like the table. */
  grantStream(fn: ServiceFunction): void {
    grantKey(fn, this.key, 'dynamodb');
  }

  /** Allows an action. The role must allow every key of a call. A call without keys is also allowed. */
  private allow(fn: ServiceFunction, action: string, begins: readonly Entity[], resource: string): void {
    if (begins.length === 0) return;
    fn.allow([`dynamodb:${action}`], [resource], {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': [...new Set(begins)].flatMap((name) => [name, `${name}#*`]),
      },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    });
  }

  private addIndex(name: IndexName): void {
    const { partitionKey, sortKey, projected } = tableSchema.indexes[name];
    this.table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: text(partitionKey),
      sortKey: text(sortKey),
      ...(projected.length > 0
        ? { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...projected] }
        : { projectionType: ProjectionType.KEYS_ONLY }),
    });
  }
}

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

const entriesOf = <Key extends string, Value>(record: Record<Key, Value>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][];
