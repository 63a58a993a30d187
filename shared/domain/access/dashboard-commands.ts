import type { NeededAccess } from './access.ts';

/** The commands of a form, as its `action` names them, and the access that each needs. */
export type Commands = Readonly<Record<string, NeededAccess>>;

/** Every command of the dashboard: the route table declares them, the handlers carry them out, and any other is refused. */
export const dashboardCommands = {
  products: { preview: 'read', save: 'write', archive: 'write', restore: 'write' },
  payments: { preview: 'read', refund: 'refunds', resend: 'write' },
  /** Another address of an endpoint needs admin as well: the use case looks at what `save` changes. */
  webhooks: {
    create: 'admin',
    save: 'write',
    rotate: 'admin',
    test: 'write',
    resend: 'write',
    recover: 'write',
    delete: 'admin',
  },
  taxes: {
    add_registration: 'admin',
    change_registration: 'admin',
    remove_registration: 'admin',
    add_override: 'admin',
    remove_override: 'admin',
  },
  keys: { create: 'admin', revoke: 'admin', end_session: 'read' },
  brands: { save: 'write' },
} as const satisfies Record<string, Commands>;

/** The access that a command needs; undefined for one that is not declared. */
export const accessFor = (commands: Commands, name: string): NeededAccess | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;
