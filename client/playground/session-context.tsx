/** The session of the playground and what its parts share. */
import { createContext, useContext } from 'react'
import type { OfferedModel } from '../../src/contracts/pricing.ts'
import type { PlaygroundSession } from './session.ts'

export interface PlaygroundContextValue {
  session: PlaygroundSession
  /** The models that answer. */
  chosen: OfferedModel[]
  /** Id of the answer whose receipt is open. */
  opened: string | undefined
  openReceipt: (answer_id: string | undefined) => void
}

const Context = createContext<PlaygroundContextValue | undefined>(undefined)

export const PlaygroundContextProvider = Context.Provider

export function usePlayground(): PlaygroundContextValue {
  const value = useContext(Context)
  if (!value) throw new Error('usePlayground needs a PlaygroundContextProvider')
  return value
}
