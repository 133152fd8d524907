; Links of the form hearth://... open the application, from the installation on and until it is removed.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\hearth" "" "URL:Hearth"
  WriteRegStr SHELL_CONTEXT "Software\Classes\hearth" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\hearth\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\hearth\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\hearth"
!macroend
