/** Addresses of the redemption codes page. */
import { listAddress, rowId, rowIds, shown, type ViewOf } from '../../src/contracts/list-address.ts'
import { optional } from '../../src/contracts/paging.ts'
import { CODES_PATH, CodeFilter } from '../../src/contracts/redemption.ts'

export const codesAddress = listAddress(CODES_PATH, CodeFilter.shape, {
  new: shown,
  edit: rowId,
  delete: rowIds,
  /** Codes to copy, and those that were created just now. */
  codes: rowIds,
  created: rowIds,
  uses: rowId,
  /** Page of the uses. */
  lp: optional,
  /** Asks for a name; `named` confirms the deletion of its codes. */
  delete_named: shown,
  named: optional,
  delete_disabled: shown,
})
export type CodesView = ViewOf<typeof codesAddress>

export const { at: codesAt, action: codesAction } = codesAddress
