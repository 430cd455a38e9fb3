import account from './account.json'
import bill from './bill.json'
import error from './error.json'
import home from './home.json'
import login from './login.json'
import option from './option.json'
import part from './part.json'
import pricing from './pricing.json'
import setup from './setup.json'
import shell from './shell.json'
import time from './time.json'

export default { account, bill, error, home, login, option, part, pricing, setup, shell, time }
