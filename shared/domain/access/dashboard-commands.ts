import type { NeededAccess } from './access.ts';

/** The commands of a form, named by its `action`, with the access that each needs. */
export type Commands = Readonly<Record<string, NeededAccess>>;

/** Every command of the dashboard. The route table declares them, and handlers refuse any other. */
export const dashboardCommands = {
  products: {
    preview: 'read',
    save: 'write',
    archive: 'write',
    restore: 'write',
    set_markets: 'write',
    add_price: 'write',
    change_price: 'write',
    archive_price: 'write',
  },
  discounts: { save: 'write', stop: 'write', allow: 'write', disallow: 'write' },
  payments: { preview: 'read', refund: 'refunds', resend: 'write', correct: 'refunds', leave: 'write' },
  /** A new address of an endpoint also needs admin access: the use case checks what `save` changes. */
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
  /** What concerns owners also needs an owner: the list of members says who is one. */
  members: {
    invite: 'admin',
    invite_again: 'admin',
    change_role: 'admin',
    remove: 'admin',
    end_session: 'admin',
    end_own_session: 'read',
  },
  brands: { save: 'write', save_policies: 'write' },
  returns: { create: 'read' },
  customers: { erase: 'admin' },
  /** To the viewer's own address, and nothing is changed by it. */
  mails: { send_example: 'read' },
} as const satisfies Record<string, Commands>;

/** The access that a command needs; undefined for an undeclared command. */
export const accessFor = (commands: Commands, name: string): NeededAccess | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;
