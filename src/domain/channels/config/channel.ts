/** A channel as operators see it. */
import type { ChannelRow } from '../table.ts'

/** Without its sealed keys; `key` holds their masks. */
export type Channel = Omit<ChannelRow, 'key_sealed'> & { key: string }

export const viewOf = ({ key_sealed, ...row }: ChannelRow, key: string): Channel => ({ ...row, key })

export const manualChange = (at: number) => JSON.stringify({ status_reason: 'manual', status_time: at })
