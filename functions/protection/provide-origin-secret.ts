import { provideOriginSecret } from '../../shared/http/origin-resource.ts';
import { originMaster } from '../../shared/use-cases/access/origin-master.ts';
import { originSecrets, randomText } from '../../shared/wiring/runtime.ts';

const deps = { originSecrets: originSecrets(), newSecret: () => randomText(43) };

/** Called by CloudFormation: returns the secret that the CDN sends to the API, and its hashes for the functions. */
export const handler = provideOriginSecret(() => originMaster(deps));
