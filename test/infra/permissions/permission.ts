/** What a role allows, or a call needs, in one line: `dynamodb:Query index/list PAYMENT`, `s3:GetObject images/`. */
export type Permission = string;

/** What one file's tests had the functions do. */
export interface Recording {
  testFile: string;
  /** The permissions that each function needed, by its name in the route table. */
  calls: Record<string, Permission[]>;
}

/** Beside the recordings: what the roles allow, where a test of the same run has synthesized them. */
export const allowedFile = 'allowed.json';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that recordings are written to. */
    recordings: string;
  }
}

/** A command of the SDK, as a function sends it. */
interface SentCommand {
  /** `GetItemCommand`, `TransactWriteItemsCommand`, `PutObjectCommand`, … */
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own input
  input: any;
}

/** Row actions, by the members of a transaction: it is authorized item by item. */
const itemActions = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'S' in value ? String(value.S) : String(value);

/** `PAYMENT#pay_1` lies in the partitions of `PAYMENT`, as `EVENT#evt_1 / DELIVERY#whk_1` does in those of `EVENT`. */
const partitionOf = (pk: unknown): string => textOf(pk).split('#')[0] ?? '';

const onTable = (action: string, pk: unknown): Permission => `dynamodb:${action} table ${partitionOf(pk)}`;

/** The value of the key condition's first equality: a query names its partition there. */
function queriedPartition(input: SentCommand['input']): string {
  const [, placeholder = ''] = /=\s*(:\w+)/.exec(input.KeyConditionExpression) ?? [];
  return partitionOf(input.ExpressionAttributeValues[placeholder]);
}

const query = (input: SentCommand['input']): Permission =>
  `dynamodb:Query ${input.IndexName ? `index/${input.IndexName}` : 'table'} ${queriedPartition(input)}`;

/** Each key that a call names has to be allowed. */
const batch = ({ RequestItems }: SentCommand['input']): Permission[] => {
  const keys = Object.values(RequestItems).flatMap((read) => (read as { Keys: { pk: unknown }[] }).Keys);
  return [...new Set(keys.map(({ pk }) => onTable('BatchGetItem', pk)))];
};

const transaction = (input: SentCommand['input']): Permission[] =>
  input.TransactItems.flatMap((item: Record<string, SentCommand['input']>) =>
    Object.entries(item).map(([member, { Key, Item }]) =>
      onTable(itemActions[member as keyof typeof itemActions], (Key ?? Item).pk),
    ),
  );

const s3 = (action: string, { Key }: SentCommand['input']): Permission => `s3:${action} ${/^[^/]*\//.exec(Key)?.[0]}`;

/** `/tillstack/demo/live/stripe/key` is the key of the processor. */
const parameter = (name: string): Permission => `ssm:GetParameter ${name.split('/').at(-1)}`;

/** What each command needs; a command that is not listed here is a surprise, which must be thought about. */
const needs: Record<string, (input: SentCommand['input']) => Permission[]> = {
  GetItemCommand: ({ Key }) => [onTable('GetItem', Key.pk)],
  BatchGetItemCommand: batch,
  PutItemCommand: ({ Item }) => [onTable('PutItem', Item.pk)],
  UpdateItemCommand: ({ Key }) => [onTable('UpdateItem', Key.pk)],
  DeleteItemCommand: ({ Key }) => [onTable('DeleteItem', Key.pk)],
  QueryCommand: (input) => [query(input)],
  TransactWriteItemsCommand: transaction,
  PutEventsCommand: () => ['events:PutEvents bus'],
  SendMessageBatchCommand: () => ['sqs:SendMessage documents'],
  GetQueueAttributesCommand: () => ['sqs:GetQueueAttributes documents'],
  SendEmailCommand: () => ['ses:SendEmail'],
  GetAccountCommand: () => ['ses:GetAccount'],
  'AmazonSSM.GetParameter': ({ Name }) => [parameter(Name)],
  GetObjectCommand: (input) => [s3('GetObject', input)],
  HeadObjectCommand: (input) => [s3('GetObject', input)],
  PutObjectCommand: (input) => [s3('PutObject', input)],
  CreateMultipartUploadCommand: (input) => [s3('PutObject', input)],
  UploadPartCommand: (input) => [s3('PutObject', input)],
  CompleteMultipartUploadCommand: (input) => [s3('PutObject', input)],
  DeleteObjectCommand: (input) => [s3('DeleteObject', input)],
};

/** The permissions without which AWS refuses the command. */
export function permissionsFor({ name, input }: SentCommand): Permission[] {
  const needed = needs[name];
  return needed ? needed(input) : [`${name} is not known to test/infra/permissions/permission.ts`];
}
