import { expect, test } from 'vitest';
import {
  addressOf,
  mqttOverWebSocket,
  connectableUrl,
  credentialsIn,
  withoutCredentials,
} from '../../../cli/data-folder/addresses.ts';
import { MQTT_WEBSOCKET_PATH } from '../../../server/app.ts';

test('connectableUrl: replaces an any-interface address by loopback', () => {
  expect(connectableUrl('http://0.0.0.0:8080')).toBe('http://127.0.0.1:8080');
  expect(connectableUrl('http://[::]:8080')).toBe('http://[::1]:8080');
  expect(connectableUrl('http://10.0.0.5:8080')).toBe('http://10.0.0.5:8080');
});

test('addressOf: puts an IPv6 host in brackets', () => {
  expect(addressOf('mqtt', '::1', 1883)).toBe('mqtt://[::1]:1883');
  expect(addressOf('mqtt', 'localhost', 1883)).toBe('mqtt://localhost:1883');
});

test('mqttOverWebSocket: is at /mqtt of the HTTP port', () => {
  expect(mqttOverWebSocket('http://localhost:8080')).toBe(`ws://localhost:8080${MQTT_WEBSOCKET_PATH}`);
  expect(mqttOverWebSocket('https://pay.example')).toBe(`wss://pay.example${MQTT_WEBSOCKET_PATH}`);
});

test('credentialsIn, withoutCredentials: read and remove the password in an address', () => {
  expect(credentialsIn('mqtt://us%40er:p%3Aw@broker:1883')).toEqual({ username: 'us@er', password: 'p:w' });
  expect(credentialsIn('mqtt://broker')).toEqual({ username: '', password: '' });
  expect(withoutCredentials('mqtt://user:hunter2@broker:1883')).toBe('mqtt://broker:1883');
});
