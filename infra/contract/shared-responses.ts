interface ContractResponse {
  $ref?: string;
  content?: object;
  'x-codes'?: readonly string[];
}

/** An operation as the contract shows it. */
export interface OperationObject {
  [member: string]: unknown;
  responses: Record<string, ContractResponse>;
}

/** The operations of the contract by path and method. */
export type Paths = Record<string, Record<string, OperationObject>>;

const pascal = (code: string): string =>
  code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());

/** The name of an error response. Undefined for other responses, and for those with so many codes that none share it. */
function nameOf(status: string, { content = {}, 'x-codes': codes = [] }: ContractResponse): string | undefined {
  if (codes.length === 0 || codes.length > 4) return undefined;
  return `${codes.map(pascal).join('Or')}${status}${'text/html' in content ? 'Page' : ''}`;
}

/** Takes each error response with few codes out of the operations, which then refer to it by name. */
export function withSharedResponses(paths: Paths): { paths: object; responses: Record<string, object> } {
  const responses: Record<string, object> = {};
  const refer = (status: string, response: ContractResponse): object => {
    const name = nameOf(status, response);
    if (name === undefined) return response;
    responses[name] ??= response;
    if (JSON.stringify(responses[name]) !== JSON.stringify(response)) throw new Error(`${name} is two responses.`);
    return { $ref: `#/components/responses/${name}` };
  };
  const shared = mapped(paths, (item) =>
    mapped(item, (operation) => ({
      ...operation,
      responses: mapped(operation.responses, (response, status) => refer(status, response)),
    })),
  );
  const sorted = Object.entries(responses).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { paths: shared, responses: Object.fromEntries(sorted) };
}

const mapped = <From, To>(record: Record<string, From>, change: (value: From, key: string) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
