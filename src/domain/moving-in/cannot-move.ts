/** Why a database cannot move in. */
import { translate } from '../../locales/index.ts'
import type { MessageKey } from '../../locales/message-key.ts'
import type { MessageParams } from '../../locales/translator.ts'
import { StartupError } from '../../process/shutdown.ts'

export type CannotMoveKey = Extract<MessageKey, `moving.refused_${string}`>

/** Its message is the English one, for the command line. */
export class CannotMove extends StartupError {
  constructor(
    readonly key: CannotMoveKey,
    readonly params: MessageParams = {},
  ) {
    super(translate('en', key, params))
  }
}
