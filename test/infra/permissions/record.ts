import { AsyncLocalStorage } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, inject, vi } from 'vitest';
import { drift, driftOf } from '../../support/contract/drift.ts';
import { observers } from '../../support/table/without-sdk.ts';
import { type Permission, permissionsFor, type Recording } from './permission.ts';

/**
 * Records the permissions that each function needed while a file's tests ran, and parses each answer with the contract.
 * Every call of a function in a test goes through one of the modules below. Calls of the test itself are not recorded.
 */
const running = new AsyncLocalStorage<string>();

vi.mock('../../../infra/local/invoke.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../infra/local/invoke.ts')>();
  const invokeFunction = async (name: string, event: unknown) => {
    const answer = await running.run(name, () => original.invokeFunction(name, event));
    for (const fault of driftOf(name, answer)) drift.add(fault);
    return answer;
  };
  return { ...original, invokeFunction };
});

/** The workers' use cases belong to one function each, and most of their tests begin here. */
vi.mock('../../../shared/use-cases/sweep-due.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../shared/use-cases/sweep-due.ts')>();
  const sweepDue: typeof original.sweepDue = (...args) =>
    running.run('events/sweep-due', () => original.sweepDue(...args));
  return { ...original, sweepDue };
});

vi.mock('../../../shared/use-cases/webhooks/dispatch-events.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../shared/use-cases/webhooks/dispatch-events.ts')>();
  const dispatchEvents: typeof original.dispatchEvents = (...args) =>
    running.run('webhooks/dispatch-webhook', () => original.dispatchEvents(...args));
  return { ...original, dispatchEvents };
});

/** A function of Lambda has a process of its own, so none uses what another one remembers. */
vi.mock('../../../shared/outside/parameters/secret.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../shared/outside/parameters/secret.ts')>();
  const rememberedSecret: typeof original.rememberedSecret = (remembering) => {
    const ofFunction = new Map<string | undefined, (again?: boolean) => ReturnType<typeof remembering.read>>();
    return (again) => {
      const name = running.getStore();
      const read = ofFunction.get(name) ?? original.rememberedSecret(remembering);
      ofFunction.set(name, read);
      return read(again);
    };
  };
  return { ...original, rememberedSecret };
});

/** The way that every command of every client of the SDK goes, sent or only signed, unless `goAroundSdk` leads it past. */
interface Commands {
  resolveMiddlewareWithContext(
    this: { input: unknown },
    stack: unknown,
    configuration: unknown,
    options: unknown,
    about: { commandName: string },
  ): unknown;
}

function commandsOf(prototype: object): Commands {
  return Object.hasOwn(prototype, 'resolveMiddlewareWithContext')
    ? (prototype as Commands)
    : commandsOf(Object.getPrototypeOf(prototype));
}

const recorded = new Map<string, Set<Permission>>();
const commands = commandsOf(GetItemCommand.prototype);
const { resolveMiddlewareWithContext: resolve } = commands;

commands.resolveMiddlewareWithContext = function (stack, configuration, options, about) {
  const name = running.getStore();
  if (name !== undefined) record(name, permissionsFor({ name: about.commandName, input: this.input }));
  return resolve.call(this, stack, configuration, options, about);
};

observers.add((commandName, input) => {
  const name = running.getStore();
  if (name !== undefined) record(name, permissionsFor({ name: commandName, input }));
});

/** Calls of the parameter store are signed by hand and go by `fetch`. */
const send = globalThis.fetch;
globalThis.fetch = (address, init) => {
  const name = running.getStore();
  const target = new Headers(init?.headers).get('x-amz-target');
  if (name !== undefined && target !== null)
    record(name, permissionsFor({ name: target, input: JSON.parse(String(init?.body)) }));
  return send(address, init);
};

function record(functionName: string, permissions: readonly Permission[]): void {
  const known = recorded.get(functionName) ?? new Set();
  recorded.set(functionName, known);
  for (const permission of permissions) known.add(permission);
}

afterAll(() => {
  commands.resolveMiddlewareWithContext = resolve;
  globalThis.fetch = send;
  const calls = Object.fromEntries([...recorded].map(([name, permissions]) => [name, [...permissions]]));
  const recording: Recording = { testFile: expect.getState().testPath ?? '', calls };
  writeFileSync(join(inject('recordings'), `${crypto.randomUUID()}.json`), JSON.stringify(recording));
});

/** A failure here names a field or an error that `infra/contract` does not know, or does not say of this route. */
afterAll(() => expect([...drift]).toEqual([]));
