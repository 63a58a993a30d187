import { vi } from 'vitest';

declare global {
  /** The environment of a worker before its first test file. */
  var environmentAtStart: Readonly<NodeJS.ProcessEnv> | undefined;
}

/** Runs before each file: a file finds modules and an environment as in a new process. Packages stay loaded. */
globalThis.environmentAtStart ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in globalThis.environmentAtStart)) delete process.env[name];
Object.assign(process.env, globalThis.environmentAtStart);
vi.resetModules();
