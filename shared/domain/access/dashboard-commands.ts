import type { NeededAccess } from './access.ts';
import type { LeftBehind } from './left-behind.ts';

/** What a command of a form needs and does: the needed access, and the kind of object that it creates or changes. */
export interface FormCommand {
  needs: NeededAccess;
  leaves: LeftBehind;
}

/** The commands of a form, named by its `action`. */
export type Commands = Readonly<Record<string, FormCommand>>;

/** Every command of the dashboard. The route table declares these commands, and handlers refuse any other. */
export const dashboardCommands = {
  products: {
    preview: { needs: 'read', leaves: 'nothing' },
    save: { needs: 'write', leaves: 'product' },
    archive: { needs: 'write', leaves: 'removal' },
    archive_several: { needs: 'write', leaves: 'removal' },
    restore: { needs: 'write', leaves: 'product' },
    set_markets: { needs: 'write', leaves: 'product' },
    add_price: { needs: 'write', leaves: 'product' },
    change_price: { needs: 'write', leaves: 'product' },
    archive_price: { needs: 'write', leaves: 'removal' },
  },
  /** Commands on entitlements, which are what products give to their buyers. */
  entitlements: {
    create: { needs: 'write', leaves: 'entitlement' },
    attach: { needs: 'write', leaves: 'product' },
    detach: { needs: 'write', leaves: 'removal' },
    save: { needs: 'write', leaves: 'entitlement' },
    add_codes: { needs: 'write', leaves: 'entitlement' },
    import_keys: { needs: 'write', leaves: 'license_key' },
    add_file: { needs: 'write', leaves: 'entitlement' },
    sign_part: { needs: 'write', leaves: 'file_upload' },
    finish_file: { needs: 'write', leaves: 'entitlement' },
    rename_file: { needs: 'write', leaves: 'entitlement' },
    move_file: { needs: 'write', leaves: 'entitlement' },
    remove_file: { needs: 'write', leaves: 'removal' },
  },
  discounts: {
    save: { needs: 'write', leaves: 'discount' },
    stop: { needs: 'write', leaves: 'removal' },
    allow: { needs: 'write', leaves: 'discount' },
    disallow: { needs: 'write', leaves: 'removal' },
  },
  payments: {
    preview: { needs: 'read', leaves: 'nothing' },
    refund: { needs: 'refunds', leaves: 'refund' },
    resend: { needs: 'write', leaves: 'delivery' },
    correct: { needs: 'refunds', leaves: 'invoice' },
    leave: { needs: 'write', leaves: 'invoice' },
  },
  /** The command that books the ground of a lost dispute. */
  disputes: { choose_ground: { needs: 'write', leaves: 'invoice' } },
  /** Commands on the grants of one buyer. A grant is what a purchase gave. */
  grants: {
    revoke: { needs: 'write', leaves: 'removal' },
    restore: { needs: 'write', leaves: 'grant' },
    reissue: { needs: 'write', leaves: 'license_key' },
    change_key: { needs: 'write', leaves: 'license_key' },
    end_device: { needs: 'write', leaves: 'removal' },
  },
  /** Commands on a payment's order page and its mail. */
  orders: {
    send: { needs: 'write', leaves: 'delivery' },
    replace: { needs: 'write', leaves: 'removal' },
    correct: { needs: 'write', leaves: 'customer' },
  },
  /**
   * Commands on declarations of withdrawal. `confirm` does what the stack proposes. With the others, a person decides
   * otherwise.
   */
  withdrawals: {
    confirm: { needs: 'refunds', leaves: 'refund' },
    refund: { needs: 'refunds', leaves: 'refund' },
    refuse: { needs: 'refunds', leaves: 'removal' },
    end: { needs: 'refunds', leaves: 'removal' },
    close: { needs: 'refunds', leaves: 'removal' },
    match: { needs: 'write', leaves: 'customer' },
    enter: { needs: 'write', leaves: 'customer' },
  },
  /**
   * Commands on webhooks. A new address of an endpoint also needs admin access: for `save`, the use case checks that.
   */
  webhooks: {
    create: { needs: 'admin', leaves: 'webhook_endpoint' },
    save: { needs: 'write', leaves: 'webhook_settings' },
    rotate: { needs: 'admin', leaves: 'webhook_secret' },
    test: { needs: 'write', leaves: 'delivery' },
    resend: { needs: 'write', leaves: 'delivery' },
    recover: { needs: 'write', leaves: 'delivery' },
    delete: { needs: 'admin', leaves: 'removal' },
  },
  taxes: {
    add_registration: { needs: 'admin', leaves: 'tax_rule' },
    change_registration: { needs: 'admin', leaves: 'tax_rule' },
    remove_registration: { needs: 'admin', leaves: 'removal' },
    add_override: { needs: 'admin', leaves: 'tax_rule' },
    remove_override: { needs: 'admin', leaves: 'removal' },
    state_small_seller: { needs: 'admin', leaves: 'tax_rule' },
    leave_small_seller: { needs: 'admin', leaves: 'removal' },
  },
  keys: {
    create: { needs: 'admin', leaves: 'api_key' },
    revoke: { needs: 'admin', leaves: 'removal' },
    end_session: { needs: 'read', leaves: 'removal' },
  },
  /** Commands on members. Changes of owners also need an owner, which the list of members checks. */
  members: {
    invite: { needs: 'admin', leaves: 'member' },
    invite_again: { needs: 'admin', leaves: 'member' },
    change_role: { needs: 'admin', leaves: 'role' },
    remove: { needs: 'admin', leaves: 'removal' },
    end_session: { needs: 'admin', leaves: 'removal' },
    end_own_session: { needs: 'read', leaves: 'removal' },
  },
  brands: {
    save: { needs: 'write', leaves: 'brand' },
    save_policies: { needs: 'write', leaves: 'brand' },
    make_policy: { needs: 'write', leaves: 'brand' },
    preview_policies: { needs: 'read', leaves: 'nothing' },
    save_rights: { needs: 'admin', leaves: 'brand' },
  },
  returns: { create: { needs: 'read', leaves: 'export' }, file: { needs: 'admin', leaves: 'export' } },
  customers: { erase: { needs: 'admin', leaves: 'removal' } },
  /** Commands on mails. `send_example` sends an example to the viewer's own address, and changes nothing. */
  mails: {
    send_example: { needs: 'read', leaves: 'nothing' },
    preview_words: { needs: 'read', leaves: 'nothing' },
    save_words: { needs: 'write', leaves: 'brand' },
  },
} as const satisfies Record<string, Commands>;

/** The declaration of a command; undefined if there is none. */
export const commandNamed = (commands: Commands, name: string): FormCommand | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;
