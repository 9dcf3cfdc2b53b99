import { brokerContract, clientIdContract } from '../../../contract/broker.contract.ts';
import { embeddedBroker } from './embedded-broker.ts';

async function start() {
  const { broker, cast, connect, lines } = await embeddedBroker();
  return { cast, connect, lines, stop: () => broker.close() };
}

brokerContract('the embedded broker', start);
clientIdContract('the embedded broker', start);
