import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { notFound } from '../../domain/errors.ts';

/** The form of every id and file name. The table does not accept much longer keys. */
const form = /^[\w.-]{1,100}$/;

/**
 * A parameter of the path; undefined if the route has none. Before any read, it refuses a text that cannot be an id or
 * a file name.
 */
export function pathParameter(event: APIGatewayProxyEventV2, name: string): string | undefined {
  const value = event.pathParameters?.[name];
  if (value === undefined || form.test(value)) return value;
  throw notFound(event.rawPath);
}

/** A parameter of the path, for a route that always has it. */
export function requiredParameter(event: APIGatewayProxyEventV2, name: string): string {
  const value = pathParameter(event, name);
  if (value === undefined) throw notFound(event.rawPath);
  return value;
}
