/**
 * Sets zod's options before zod loads, so schemas are interpreted as in the bundles of the functions. `npm start`
 * compiles them to code.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
