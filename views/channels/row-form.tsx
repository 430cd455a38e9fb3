/** The form that the buttons of all rows of the channel list send: its token, and the view to return to. */
import { Form } from '../../client/components/link.tsx'
import { CHANNELS_PATH, type ChannelsView, channelsAt } from './view.ts'

export const ROW_FORM = 'row-form'

export const RowForm = ({ view }: { view: ChannelsView }) => (
  <Form id={ROW_FORM} action={CHANNELS_PATH} returnTo={channelsAt(view)} hidden>
    {null}
  </Form>
)
