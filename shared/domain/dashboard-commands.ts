import type { Access } from './access.ts';

/** The commands of a form, as its `action` names them, and the access that each needs. */
export type Commands = Readonly<Record<string, Access>>;

/** Every command of the dashboard: the route table declares them, the handlers carry them out, and any other is refused. */
export const dashboardCommands = {
  products: { preview: 'read', save: 'write', archive: 'write', restore: 'write' },
  payments: { preview: 'read', refund: 'write', resend: 'write' },
  webhooks: {
    create: 'write',
    save: 'write',
    rotate: 'write',
    test: 'write',
    resend: 'write',
    recover: 'write',
    delete: 'write',
  },
  taxes: {
    add_registration: 'write',
    change_registration: 'write',
    remove_registration: 'write',
    add_override: 'write',
    remove_override: 'write',
  },
  keys: { create: 'write', revoke: 'write' },
  brands: { save: 'write' },
} as const satisfies Record<string, Commands>;

/** The access that a command needs; undefined for one that is not declared. */
export const accessFor = (commands: Commands, name: string): Access | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;
