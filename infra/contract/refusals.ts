import type * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import type { Endpoint } from '../endpoints.ts';
import { errorsOfForm } from './errors.ts';
import type { ContractOperation } from './operation.ts';

type Schema = z.core.$ZodType;

interface Definition {
  checks?: { _zod: { def: { params?: { code?: ErrorCode } } } }[];
  shape?: Record<string, Schema>;
  options?: Schema[];
  element?: Schema;
  innerType?: Schema;
  keyType?: Schema;
  valueType?: Schema;
  in?: Schema;
  out?: Schema;
}

/** The error codes of the checks in a schema. */
export function codesOf(schema: Schema | undefined): ErrorCode[] {
  if (schema === undefined) return [];
  const { checks = [], shape = {}, options = [], ...parts } = schema._zod.def as unknown as Definition;
  const own = checks.flatMap(({ _zod }) => _zod.def.params?.code ?? []);
  const { element, innerType, keyType, valueType, in: input, out } = parts;
  const inner = [...Object.values(shape), ...options, element, innerType, keyType, valueType, input, out];
  return [...own, ...inner.flatMap(codesOf)];
}

/** Whether answers are stored under an Idempotency-Key. That is so if the function's role may write such rows. */
export const isIdempotent = ({ table }: Pick<Endpoint, 'table'>): boolean => table.put?.includes('IDEM') ?? false;

/** Every error code of an operation, without repetitions. */
export function refusalsOf(endpoint: Endpoint, operation: ContractOperation): ErrorCode[] {
  const [body] = Object.values(operation.body ?? {});
  const form = errorsOfForm({
    hasKey: endpoint.access !== 'public',
    hasBody: body !== undefined,
    hasQuery: operation.query !== undefined,
    hasParameter: endpoint.paths[0].includes('{'),
    isIdempotent: isIdempotent(endpoint),
  });
  return [...new Set([...form, ...codesOf(body), ...codesOf(operation.query), ...(operation.refuses ?? [])])].sort();
}
