package tapbench

// KeyOf returns the key of a server, for runs of go test that share it.
func KeyOf(server *Server) string {
	return server.Client.key.Reveal()
}
