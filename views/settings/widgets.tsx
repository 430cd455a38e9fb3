/**
 * Plug point 1: options whose field is not the one of their declared widget.
 * `widgets[KEY]` is a component that gets the `FieldView` of views/settings/view.ts and draws the whole field. Its control
 * is named by the key and sends the option's text (as PUT /api/option/ takes it); errors, marks, locks and saving are
 * those of every field. A widget without scripts is a text control that scripts may replace.
 */
import type { ComponentType } from 'react'
import type { OptionKey } from '../../src/domain/options/index.ts'
import { ChatLinks, EmailDomains } from './islands.tsx'
import { ContentSetting, LogoSetting } from './preview.tsx'
import type { FieldView } from './view.ts'

export const widgets: Partial<Record<OptionKey, ComponentType<{ field: FieldView }>>> = {
  Chats: ChatLinks,
  EmailDomainWhitelist: EmailDomains,
  Notice: ContentSetting,
  HomePageContent: ContentSetting,
  About: ContentSetting,
  Footer: ContentSetting,
  Logo: LogoSetting,
}
