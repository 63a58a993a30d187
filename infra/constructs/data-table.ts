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
import { Construct } from 'constructs';
import { type IndexName, tableSchema } from '../../shared/store/table-schema.ts';
import type { Entity, TableGrants } from '../endpoints.ts';
import type { ServiceFunction } from './service-function.ts';

export interface DataTableProps {
  /** Whether the data outlive the stack and nobody can delete the table by mistake. */
  keepsData: boolean;
}

/** How the rows of an entity are found. */
interface Reach {
  /** Where their partition keys begin. Default: with the entity's own name. */
  partition?: Entity;
  /** How they are read from the table itself. */
  reads: readonly ('GetItem' | 'Query')[];
  /** The indexes in which they, or their views, are listed under the entity's own name. */
  indexes: readonly IndexName[];
}

const reach: Record<Entity, Reach> = {
  PRODUCT: { reads: ['GetItem'], indexes: ['list'] },
  SESSION: { reads: ['GetItem'], indexes: [] },
  PAYMENT: { reads: ['GetItem'], indexes: ['list'] },
  REFUND: { reads: ['GetItem'], indexes: ['list'] },
  CUSTOMER: { reads: ['GetItem'], indexes: ['list', 'customer'] },
  IDEM: { reads: ['GetItem'], indexes: [] },
  EVENT: { reads: ['GetItem'], indexes: ['list'] },
  DELIVERY: { partition: 'EVENT', reads: ['GetItem', 'Query'], indexes: ['list'] },
  DUE: { reads: [], indexes: ['due'] },
  WEBHOOK: { reads: ['GetItem', 'Query'], indexes: [] },
  KEY: { reads: ['GetItem'], indexes: [] },
  TAX: { reads: ['GetItem', 'Query'], indexes: [] },
};

/** The merchant's one table, as `tableSchema` says, encrypted by KMS, restorable to any second of the last 35 days. */
export class DataTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: DataTableProps) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: text(tableSchema.partitionKey),
      sortKey: text(tableSchema.sortKey),
      timeToLiveAttribute: tableSchema.timeToLive,
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.NEW_IMAGE,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 35 },
      deletionProtection: props.keepsData,
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    for (const name of Object.keys(tableSchema.indexes) as IndexName[]) this.addIndex(name);
  }

  /**
   * Lets the function read and write rows whose partition keys begin with the entities' names, and tells it the table's.
   * Nobody may remove a row: what is deleted becomes a row without data.
   */
  grantAccess(fn: ServiceFunction, { read = [], write = [] }: TableGrants): void {
    if (read.length + write.length > 0) fn.addEnvironment('TABLE_NAME', this.table.tableName);
    for (const action of ['GetItem', 'Query'] as const) {
      this.allow(fn, [action], rowsOf(read.filter((entity) => reach[entity].reads.includes(action))));
    }
    for (const index of Object.keys(tableSchema.indexes) as IndexName[]) {
      this.allow(
        fn,
        ['Query'],
        read.filter((entity) => reach[entity].indexes.includes(index)),
        index,
      );
    }
    this.allow(fn, ['PutItem', 'UpdateItem'], rowsOf(write));
  }

  /** A transaction is authorized through the actions of its items; no row is within reach of a request that names no key. */
  private allow(fn: ServiceFunction, actions: string[], partitions: readonly Entity[], index?: IndexName): void {
    if (partitions.length === 0) return;
    const resource = index === undefined ? this.table.tableArn : `${this.table.tableArn}/index/${index}`;
    fn.allow(
      actions.map((action) => `dynamodb:${action}`),
      [resource],
      {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions.flatMap((name) => [name, `${name}#*`]) },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    );
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

const rowsOf = (entities: readonly Entity[]): Entity[] => [
  ...new Set(entities.map((entity) => reach[entity].partition ?? entity)),
];
