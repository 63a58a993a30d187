import { provideOriginSecret } from '../../shared/http/origin-resource.ts';
import { originSecrets, randomText } from '../../shared/runtime.ts';
import { originMaster } from '../../shared/use-cases/access/origin-master.ts';

const deps = { originSecrets: originSecrets(), newSecret: () => randomText(43) };

/** CloudFormation: the secret of the distribution in front, and its hashes for the functions. */
export const handler = provideOriginSecret(() => originMaster(deps));
