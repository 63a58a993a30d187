import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, inject, vi } from 'vitest';
import { permissionsFor } from './permission.ts';

/** The function in whose name calls are made. */
const running = new AsyncLocalStorage<string>();

vi.mock('../../../infra/local/invoke.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../infra/local/invoke.ts')>();
  const invokeFunction = (name: string, event: unknown) =>
    running.run(name, () => original.invokeFunction(name, event));
  return { ...original, invokeFunction };
});

/** The way that every command of every client of the SDK goes, sent or only signed. */
interface Base {
  resolveMiddlewareWithContext(this: { input: unknown }, ...args: [...unknown[], { commandName: string }]): unknown;
}

function baseOf(prototype: object): Base {
  return Object.hasOwn(prototype, 'resolveMiddlewareWithContext')
    ? (prototype as Base)
    : baseOf(Object.getPrototypeOf(prototype));
}

const recorded = new Set<string>();
const base = baseOf(GetItemCommand.prototype);
const { resolveMiddlewareWithContext: original } = base;

base.resolveMiddlewareWithContext = function (...args) {
  const functionName = running.getStore();
  const [, , , { commandName: name }] = args as unknown as [unknown, unknown, unknown, { commandName: string }];
  if (functionName !== undefined)
    for (const permission of permissionsFor({ name, input: this.input }))
      recorded.add(`${functionName}\t${permission}`);
  return original.apply(this, args);
};

afterAll(() => {
  base.resolveMiddlewareWithContext = original;
  appendFileSync(join(inject('recordedCalls'), `${process.pid}.tsv`), [...recorded, ''].join('\n'));
});
