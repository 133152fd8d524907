@rem Windows has no exec; elsewhere it lets a signal sent to npm reach the process that the script starts.
@call %*
