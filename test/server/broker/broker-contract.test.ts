import { brokerContract } from '../../contract/broker.contract.ts';
import { embeddedBroker } from './embedded-broker.ts';

brokerContract('the embedded broker', async () => {
  const { broker, cast, connect, lines } = await embeddedBroker();
  return { cast, connect, lines, stop: () => broker.close() };
});
