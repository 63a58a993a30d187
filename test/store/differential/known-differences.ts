import { type Difference, type Outcome, sortedNames } from './outcome.ts';

interface KnownDifference {
  name: string;
  /** What AWS documents, or is known to do, and the engine does. */
  documented: string;
  explains(difference: Difference): boolean;
}

type Members = Record<string, unknown>;

const text = (value: unknown): string => JSON.stringify(sortedNames(value)) ?? '';

/** Whether a part of what was asked, at any depth, is so. */
const asks = ({ command }: Difference, pattern: RegExp): boolean => pattern.test(text(command.input));

const isRefusedBy = ({ refusal }: Outcome, name: string): boolean => refusal === name;

const invalidPath = 'The document path provided in the update expression is invalid for update';

interface Update {
  UpdateExpression?: string;
}

/** The codes of a cancelled transaction; of one that was carried out, as many times none. */
function codesOf({ answer }: Outcome, items: readonly unknown[]): string[] {
  const reasons = answer['reasons'] as { Code: string }[] | undefined;
  return items.map((_, index) => reasons?.[index]?.Code ?? 'None');
}

/** The engine refuses an update of a nested path, and agrees with the emulator on all other items. */
function isNestedUpdateRefused({ command, theirs, ours }: Difference): boolean {
  if (theirs.refusal === undefined && ours.message === invalidPath) return true;
  const items = (command.input['TransactItems'] ?? []) as { Update?: Update }[];
  const [emulator, engine] = [codesOf(theirs, items), codesOf(ours, items)];
  const isNested = (index: number) => /[.[]/.test(items[index]?.Update?.UpdateExpression ?? '');
  return (
    isRefusedBy(ours, 'TransactionCanceledException') &&
    (theirs.refusal === undefined || theirs.refusal === ours.refusal) &&
    engine.every(
      (code, at) => code === emulator[at] || (code === 'ValidationError' && emulator[at] === 'None' && isNested(at)),
    )
  );
}

const keysIn = (outcome: Outcome): string[] => Object.keys((outcome.answer['Attributes'] ?? {}) as Members).sort();

const attributeNames = ({ answer }: Outcome): string[][] =>
  ((answer['Responses'] ?? []) as { Item?: Members }[]).map(({ Item }) => Object.keys(Item ?? {}));

/** The emulator's rows have the sort key beside what the engine's have. */
const hasSortKeys = ({ theirs, ours }: Difference): boolean => {
  const [emulator, engine] = [attributeNames(theirs), attributeNames(ours)];
  const expected = (at: number) => text([...new Set([...(engine[at] ?? []), 'sk'])].sort());
  return emulator.every(
    (names, at) => text(names.toSorted()) === text(engine[at]?.toSorted()) || text(names.toSorted()) === expected(at),
  );
};

const withoutAttribute = (name: string, record: unknown): unknown => {
  const { NewImage, ...others } = record as { NewImage?: Members };
  const { [name]: _, ...image } = NewImage ?? {};
  return { ...others, image };
};

/** Both say the same but for one member of their answers. */
function differsOnlyIn(member: string, { theirs, ours }: Difference): boolean {
  const rest = ({ answer: { [member]: _, ...others }, refusal, records }: Outcome) =>
    text({ others, refusal, records });
  return rest(theirs) === rest(ours);
}

/** Found by what the stream's earlier records say of the row, and left out of the comparison. */
export const unchangedRecords = {
  name: 'a write that changes nothing has a record in the stream',
  documented:
    '"If you perform a PutItem or UpdateItem operation that does not change any data in an item, then DynamoDB Streams does not write a stream record for that operation."',
};

/** What the emulator does otherwise than DynamoDB. Each is as narrow as it can be, so that it hides nothing else. */
export const knownDifferences: readonly KnownDifference[] = [
  {
    name: 'begins_with of a key ignores case',
    documented:
      'begins_with is "true if the attribute begins with a particular substring"; strings are compared by their bytes.',
    explains: (difference) =>
      difference.command.operation === 'Query' && asks(difference, /KeyConditionExpression":"[^"]*begins_with/),
  },
  {
    name: 'an update below what is no map or list is accepted',
    documented: `ValidationException: ${invalidPath}.`,
    explains: isNestedUpdateRefused,
  },
  {
    name: 'TransactGetItems returns the sort key unasked',
    documented: 'A projection expression identifies the attributes that are returned; keys are attributes like others.',
    explains: (difference) => difference.command.operation === 'TransactGetItems' && hasSortKeys(difference),
  },
  {
    name: 'unused placeholders are found after the condition',
    documented:
      'ValidationException: Value provided in ExpressionAttributeNames unused in expressions, whatever the row is.',
    explains: ({ theirs, ours }) =>
      isRefusedBy(theirs, 'ConditionalCheckFailedException') && /unused in expressions/.test(ours.message ?? ''),
  },
  {
    name: 'ALL_OLD of a row that was not there has its key',
    documented:
      'ALL_OLD "returns all of the attributes of the item, as they appeared before the UpdateItem operation": there are none.',
    explains: ({ command, theirs, ours }) =>
      command.input['ReturnValues'] === 'ALL_OLD' &&
      ours.answer['Attributes'] === undefined &&
      text(keysIn(theirs)) === text(['pk', 'sk']),
  },
  {
    name: 'GetItem with a projection costs what the projection holds',
    documented: 'Capacity is consumed "based on the size of the entire item", whatever is projected.',
    explains: (difference) =>
      difference.command.operation === 'GetItem' &&
      asks(difference, /ProjectionExpression/) &&
      differsOnlyIn('ConsumedCapacity', difference),
  },
  {
    name: 'a repetition under a token costs what the first call cost',
    documented:
      '"Subsequent TransactWriteItems calls with the same client token return the number of read capacity units consumed in reading the item."',
    explains: (difference) =>
      asks(difference, /ClientRequestToken/) &&
      /ReadCapacityUnits/.test(text(difference.ours.answer)) &&
      differsOnlyIn('ConsumedCapacity', difference),
  },
  {
    name: 'UPDATED_NEW of an element returns its whole list',
    documented:
      '"Returns only the updated attributes, as they appear after the UpdateItem operation": parts, for a nested path.',
    explains: (difference) =>
      /^UPDATED_/.test(String(difference.command.input['ReturnValues'])) &&
      /\[\d+\]/.test(String(difference.command.input['UpdateExpression'])) &&
      differsOnlyIn('Attributes', difference),
  },
  {
    name: 'an element set beyond the end of a list is preceded by nulls',
    documented: '"If the list element does not exist, SET appends the new element at the end of the list."',
    explains: ({ command, theirs, ours }) => {
      // UPDATED_NEW answers the named index of the list, which has no element if the list is shorter
      const told = /^UPDATED_/.test(String(command.input['ReturnValues'])) ? { answer: {} } : {};
      const withoutNulls = (outcome: Outcome) =>
        text({ ...outcome, ...told, message: '' }).replaceAll(/\{"NULL":true\},?/g, '');
      return /SET \w+\[\d+\]/.test(text(command.input)) && withoutNulls(theirs) === withoutNulls(ours);
    },
  },
  {
    name: 'several elements of one list are removed one after the other',
    documented:
      'The guide removes RelatedItems[1] and RelatedItems[2] of five elements: the first and the last two are left, so that places are those of before.',
    explains: ({ command, theirs, ours }) => {
      const withoutList = ({ records, refusal }: Outcome) =>
        text({ refusal, records: records.map((record) => withoutAttribute('x', record)) });
      return /REMOVE x\[0\], x\[1\]/.test(text(command.input)) && withoutList(theirs) === withoutList(ours);
    },
  },
];
