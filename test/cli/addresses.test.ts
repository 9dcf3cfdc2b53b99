import { expect, test } from 'vitest';
import {
  addressOf,
  mqttOverWebSocket,
  connectableUrl,
  credentialsIn,
  withoutCredentials,
} from '../../cli/addresses.ts';
import { MQTT_WEBSOCKET_PATH } from '../../server/app.ts';

test('an address that means every one of this machine is shown as one that can be typed', () => {
  expect(connectableUrl('http://0.0.0.0:8080')).toBe('http://127.0.0.1:8080');
  expect(connectableUrl('http://[::]:8080')).toBe('http://[::1]:8080');
  expect(connectableUrl('http://10.0.0.5:8080')).toBe('http://10.0.0.5:8080');
});

test('an IPv6 host is put in brackets', () => {
  expect(addressOf('mqtt', '::1', 1883)).toBe('mqtt://[::1]:1883');
  expect(addressOf('mqtt', 'localhost', 1883)).toBe('mqtt://localhost:1883');
});

test('MQTT over WebSocket is where the server serves it', () => {
  expect(mqttOverWebSocket('http://localhost:8080')).toBe(`ws://localhost:8080${MQTT_WEBSOCKET_PATH}`);
  expect(mqttOverWebSocket('https://pay.example')).toBe(`wss://pay.example${MQTT_WEBSOCKET_PATH}`);
});

test('the password in an address is read, and not shown', () => {
  expect(credentialsIn('mqtt://us%40er:p%3Aw@broker:1883')).toEqual({ username: 'us@er', password: 'p:w' });
  expect(credentialsIn('mqtt://broker')).toEqual({ username: '', password: '' });
  expect(withoutCredentials('mqtt://user:hunter2@broker:1883')).toBe('mqtt://broker:1883');
});
