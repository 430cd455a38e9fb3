import account from './account.json'
import bill from './bill.json'
import channel from './channel.json'
import error from './error.json'
import format from './format.json'
import home from './home.json'
import log from './log.json'
import login from './login.json'
import option from './option.json'
import part from './part.json'
import provider from './provider.json'
import relay from './relay.json'
import setup from './setup.json'
import shell from './shell.json'
import time from './time.json'
import token from './token.json'
import wallet from './wallet.json'

export default {
  account,
  bill,
  channel,
  error,
  format,
  home,
  log,
  login,
  option,
  part,
  provider,
  relay,
  setup,
  shell,
  time,
  token,
  wallet,
}
